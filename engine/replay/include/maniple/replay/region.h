#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace maniple::replay {

/// A growing buffer whose storage always extends kSlackBytes beyond its end, so that codecs may
/// load or store a whole word at the last element. Growth doubles (REPA-011).
template <typename T>
class Region {
  public:
    static constexpr std::size_t kSlackBytes = 16;

    Region() = default;
    Region(Region&& other) noexcept { swap(other); }
    Region& operator=(Region&& other) noexcept {
        Region taken(std::move(other));
        swap(taken);
        return *this;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T* data() const { return data_.get(); }
    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] std::span<const T> view() const { return {data_.get(), size_}; }

    void reserve(std::size_t capacity) {
        if (capacity > capacity_) grow(capacity);
    }
    /// Room for `count` more elements; @return the end, where they are written before `set_end`.
    [[nodiscard]] T* claim(std::size_t count) {
        if (count > capacity_ - size_) grow(std::max(size_ + count, capacity_ * 2));
        return data_.get() + size_;
    }
    void set_end(const T* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
    void truncate(std::size_t size) { size_ = size; }
    void push_back(T value) {
        *claim(1) = value;
        ++size_;
    }
    void assign(std::span<const T> values) {
        size_ = 0;
        std::copy(values.begin(), values.end(), claim(values.size()));
        size_ = values.size();
    }
    /// Replaces `old_count` elements at `at` by `values`; what follows moves.
    void splice(std::size_t at, std::size_t old_count, std::span<const T> values) {
        if (values.size() > old_count) static_cast<void>(claim(values.size() - old_count));
        T* const base = data_.get();
        if (base == nullptr) return;
        std::memmove(base + at + values.size(), base + at + old_count,
                     (size_ - at - old_count) * sizeof(T));
        std::copy(values.begin(), values.end(), base + at);
        size_ = size_ - old_count + values.size();
    }

  private:
    void swap(Region& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    [[gnu::noinline]] void grow(std::size_t capacity) {
        auto bigger = std::make_unique<T[]>(capacity + kSlackBytes / sizeof(T));
        std::copy(data_.get(), data_.get() + size_, bigger.get());
        data_ = std::move(bigger);
        capacity_ = capacity;
    }

    std::unique_ptr<T[]> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace maniple::replay
