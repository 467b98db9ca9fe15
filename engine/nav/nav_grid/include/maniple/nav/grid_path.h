#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/flow_field.h"

namespace maniple::nav {

/// A search's place in the open list. Popped in (f, h, cell) order, which is total: no heap can
/// change a path (O-PATH-01).
struct OpenCell {
    double f;
    double h;
    CellIndex cell;
};

/// Reusable memory of path searches; one for each thread. What a search left in it never changes
/// the next result: cells count as fresh until their stamp is the search's own (PATH-008).
class PathContext {
  public:
    /// Begins a search over so many cells, in constant time but for the first of a size.
    void prepare(std::size_t cells);

    struct Node {
        std::uint32_t stamp = 0;
        std::uint32_t straight = 0;  ///< Optimal search: steps so far. Documented: unused.
        std::uint32_t diagonal = 0;
        std::uint8_t from = 0;  ///< The step that led here, a neighbour 0…7.
        double g = 0;
    };
    [[nodiscard]] bool fresh(CellIndex cell) const { return nodes_[cell].stamp != stamp_; }
    /// The cell's node, stamped.
    Node& touch(CellIndex cell) {
        nodes_[cell].stamp = stamp_;
        return nodes_[cell];
    }
    [[nodiscard]] const Node& node(CellIndex cell) const { return nodes_[cell]; }

    void push(OpenCell open);
    OpenCell pop();
    [[nodiscard]] bool empty() const { return heap_.empty(); }

  private:
    std::vector<Node> nodes_;
    std::vector<OpenCell> heap_;
    std::uint32_t stamp_ = 0;
};

/// The documented grid A* (PATH-005 … 013) over a field's default layer: costs count, the heuristic
/// is the Manhattan distance, which may overestimate. An end inside the grid that lies in an
/// obstacle cell makes it an emergency: obstacles are passed at cost 5. Ends outside the grid go
/// from their clamped cell. Any number of threads, each with its own context.
/// @return true and the points in world cm, first `start`, last `goal` (its Z that of the point
/// before); false and no points where there is no way, and for ends that are not finite.
bool find_path_astar(const FlowField& field, Vec3d start, Vec3d goal, PathContext& context,
                     std::vector<Vec3d>& path);

/// The shortest way by octile length under the same walls, corners and slopes; cell costs and
/// bStraightFirst are not looked at, and an end in an obstacle cell is not found (O-PATH-01).
bool find_path_optimal(const FlowField& field, Vec3d start, Vec3d goal, PathContext& context,
                       std::vector<Vec3d>& path);

/// False when no search could succeed, by the component labels alone: both ends are cells an agent
/// can stand on, in different components.
[[nodiscard]] bool may_connect(const FlowField& field, CellIndex start, CellIndex goal);

/// The document's cheap test of a path's ends (PATH-004): both inside the grid, neither an
/// obstacle. Says nothing about what lies between; may_connect does.
[[nodiscard]] bool has_valid_ends(const FlowField& field, Vec3d start, Vec3d goal);

/// Sum of the distances between neighbouring points, in three dimensions.
[[nodiscard]] double path_length_cm(std::span<const Vec3d> path);

}  // namespace maniple::nav
