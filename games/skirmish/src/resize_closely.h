#pragma once

#include <cstddef>
#include <vector>

namespace maniple::skirmish {

/// Leaves an eighth to spare where a vector would double: the number of units seldom grows.
template <class T>
void resize_closely(std::vector<T>& values, std::size_t count) {
    if (count > values.capacity()) values.reserve(count + count / 8);
    values.resize(count);
}

}  // namespace maniple::skirmish
