#pragma once

#include <vector>

#include "maniple/nav/flow_field.h"

namespace maniple::nav {

/// The live fields of a host, held weakly, so that one call in the serial window of a tick removes
/// the layers nobody uses any more (LAY-021, LAY-022).
class FieldRegistry {
  public:
    void add(FlowField& field) { fields_.push_back(field.ref()); }
    [[nodiscard]] std::size_t size() const { return fields_.size(); }
    /// While tasks are rebuilt after a resync: flushes do nothing, so that the layers that rebuilt
    /// tasks take again survive.
    void set_suppressed(bool suppressed) { suppressed_ = suppressed; }
    /// Forgets fields that are gone and flushes the others in order of arrival.
    void flush_pending_destroys();

  private:
    std::vector<FieldRef> fields_;
    bool suppressed_ = false;
};

}  // namespace maniple::nav
