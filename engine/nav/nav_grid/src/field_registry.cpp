#include "maniple/nav/field_registry.h"

namespace maniple::nav {

// implements: LAY-021, LAY-022
void FieldRegistry::flush_pending_destroys() {
    if (suppressed_) return;
    std::erase_if(fields_, [](const FieldRef& field) { return field.get() == nullptr; });
    for (const FieldRef& field : fields_) field.get()->flush_pending_destroys();
}

}  // namespace maniple::nav
