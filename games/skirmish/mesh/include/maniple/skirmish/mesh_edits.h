#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/mesh_facts.h"
#include "maniple/skirmish/mesh_plan.h"
#include "maniple/terrain/navmesh_baker.h"

namespace maniple::skirmish {

/// A navmesh and what it was baked with, so that parts of it can be baked anew.
struct BakedGround {
    std::shared_ptr<const terrain::NavMeshBaker> baker;
    nav::NavMesh mesh;

    /// The stream that carries it. @return as NavMeshStream::write.
    [[nodiscard]] Result<substrate::NavMeshStream> stream() const;
};

/// Boxes that come and go between the armies, by baking the tiles they touch anew. None cuts an
/// army off from the enemy's place, and none stands on a spawn zone. Host state: what is baked
/// depends on Recast.
class MeshEdits {
  public:
    MeshEdits(const MeshFacts& facts, const MeshPlan& plan, BakedGround ground, std::int32_t seed);

    struct Edit {
        bool raises = false;
        terrain::NavBox box;
        /// The wall it is in the game, whole world cm.
        [[nodiscard]] Wall wall() const;
    };
    /// Makes the next edit of the ground: two boxes rise, then the older one falls.
    /// @return edit; an edit that finds no room changes nothing.
    std::optional<Edit> apply_next();
    [[nodiscard]] const std::vector<terrain::NavBox>& standing() const { return standing_; }
    [[nodiscard]] const BakedGround& ground() const { return ground_; }

  private:
    [[nodiscard]] bool leads_everywhere(const nav::MeshReplica& mesh) const;
    std::optional<Edit> raise_box();
    std::optional<Edit> raze_box();

    BakedGround ground_;
    std::int32_t seed_;
    std::int32_t index_ = 0;
    std::vector<Spot> battlefield_;          ///< Where boxes may stand.
    std::vector<Spot> kept_;                 ///< Spots that must keep a way to the last of them.
    std::vector<terrain::NavBox> standing_;  ///< Oldest first.
};

}  // namespace maniple::skirmish
