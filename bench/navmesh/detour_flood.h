#pragma once

#include <DetourNavMesh.h>
#include <cstdint>
#include <vector>

namespace maniple::bench {

/// What a game writes that floods a navmesh as Detour stores it: a heap, and the link lists of the
/// tiles. The lengths are nav_mesh's, by polygon centres and portal middles; even costs.
class DetourFlood {
  public:
    explicit DetourFlood(const dtNavMesh& mesh);
    /// @return how many polygons were reached.
    std::size_t run(dtPolyRef goal);

  private:
    struct Open {
        std::uint32_t dist;
        dtPolyRef polygon;
    };
    [[nodiscard]] std::size_t index(dtPolyRef ref) const {
        return first_[mesh_.decodePolyIdTile(ref)] + mesh_.decodePolyIdPoly(ref);
    }

    const dtNavMesh& mesh_;
    std::vector<std::size_t> first_;
    std::vector<float> centre_;
    std::vector<std::uint32_t> dist_;
    std::vector<Open> heap_;
};

}  // namespace maniple::bench
