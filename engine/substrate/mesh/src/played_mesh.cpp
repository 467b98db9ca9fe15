#include "maniple/substrate/played_mesh.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "maniple/core/quantise.h"
#include "maniple/substrate/navmesh_delta.h"

namespace maniple::substrate {
namespace {

using GoalSets = std::vector<std::vector<Vec3d>>;

/// All that a stream makes of a field, beside what stands.
struct NextMesh {
    StreamKind kind = StreamKind::kFull;
    std::shared_ptr<const NavMeshStream> stream;
    std::shared_ptr<const nav::MeshReplica> replica;
    std::vector<Vec3d> goals;  ///< World cm.
    nav::MeshFlows flows;
};

/// Whole centimetres from the origin; yaw does not turn them.
// implements: O-SYNC-36, O-SYNC-37
std::vector<Vec3d> world_goals(const NavMeshView& stream) {
    const SubstrateIdentity& at = stream.identity();
    std::vector<Vec3d> goals;
    for (const GoalCm& goal : stream.goals()) {
        goals.push_back({core::dequant_cm(goal.x, at.origin_x_cm),
                         core::dequant_cm(goal.y, at.origin_y_cm),
                         core::dequant_cm(goal.z, at.origin_z_cm)});
    }
    return goals;
}

/// A repair brings a stream again that was computed ahead.
bool is_same(const std::shared_ptr<const NavMeshStream>& a,
             const std::shared_ptr<const NavMeshStream>& b) {
    return a == b || (a != nullptr && b != nullptr && std::ranges::equal(a->bytes(), b->bytes()));
}

Result<NavMeshStream> read_next(const NavMeshStream* base, core::ByteSpan bytes) {
    if (peek_stream_kind(bytes) != StreamKind::kDelta) {
        return NavMeshStream::check({bytes.begin(), bytes.end()});
    }
    const Result<NavMeshDeltaView> delta = NavMeshDeltaView::check(bytes);
    if (!delta) return refuse(delta.error());
    if (base == nullptr) {
        return refuse(ErrorCode::kNotReady, "a navmesh delta needs a full stream before it");
    }
    return apply_delta(base->view(), *delta);
}

// implements: SYNC-044, SYNC-046, SYNC-057, O-SYNC-13, O-SYNC-15
/// With the flows of the stream's goals and of `goal_sets`.
Result<NextMesh> make_next(const NavMeshStream* base, core::ByteSpan bytes,
                           const nav::MeshField& field, GoalSets goal_sets) {
    Result<NavMeshStream> stream = read_next(base, bytes);
    if (!stream) return refuse(std::move(stream.error()));
    const NavMeshView& view = stream->view();
    Result<nav::MeshReplica> replica =
        nav::MeshReplica::build(view.params(), view.tiles(), view.area_costs());
    if (!replica) return refuse(std::move(replica.error()));
    NextMesh next;
    next.kind = peek_stream_kind(bytes).value_or(StreamKind::kFull);
    next.goals = world_goals(view);
    goal_sets.push_back(next.goals);
    next.flows = field.prepare_flows(*replica, goal_sets);
    next.replica = std::make_shared<const nav::MeshReplica>(std::move(*replica));
    next.stream = std::make_shared<const NavMeshStream>(std::move(*stream));
    return next;
}

/// The goal sets of `now` beyond those of `before`, of which each counts once.
GoalSets goals_beyond(GoalSets now, const GoalSets& before) {
    for (const std::vector<Vec3d>& goals : before) {
        const auto found = std::ranges::find(now, goals);
        if (found != now.end()) now.erase(found);
    }
    return now;
}

}  // namespace

/// One stream on its way: written by its job until it is done, then read by the simulation thread.
struct PlayedMesh::Preparation {
    /// Known again by all of them: a head may lie, and a hash without a key can be made to collide.
    core::Bytes bytes;
    GoalSets goals_in_use;  ///< By the field's layers, at the announcement.
    /// What the field will stand on by then: the standing stream, or what another one makes.
    std::shared_ptr<const NavMeshStream> base;
    std::shared_ptr<Preparation> before;
    /// The same stream, announced when other goals were in use.
    std::shared_ptr<Preparation> begun;
    std::optional<Result<NextMesh>> next;
    /// That of `next`, which the import takes while the next preparation may be reading this.
    std::shared_ptr<const NavMeshStream> stream;
    std::atomic<bool> done{false};

    void run(const nav::MeshField& field) {
        if (begun != nullptr && begun->done.load(std::memory_order_acquire)) {
            go_on(field);
        } else {
            make(field);
        }
        begun = before = nullptr;
        done.store(true, std::memory_order_release);
    }

    void make(const nav::MeshField& field) {
        if (before != nullptr && before->done.load(std::memory_order_acquire) &&
            before->stream != nullptr) {
            base = before->stream;
        }
        next = make_next(base.get(), bytes, field, goals_in_use);
        if (*next) stream = (*next)->stream;
    }
    /// From what was made of the stream before.
    void go_on(const nav::MeshField& field) {
        base = begun->base;
        stream = begun->stream;
        next = std::move(begun->next);
        if (!*next) return;
        const GoalSets missing = goals_beyond(goals_in_use, begun->goals_in_use);
        field.add_flows(*(*next)->replica, missing, (*next)->flows);
    }
};

PlayedMesh::PlayedMesh(std::string name, nav::FieldConfig config, nav::FieldHost host,
                       const nav::NavProvider* provider)
    : field_(std::make_shared<nav::MeshField>(std::move(name), std::move(config), std::move(host),
                                              provider)) {}
PlayedMesh::~PlayedMesh() = default;

core::ByteSpan PlayedMesh::stream() const {
    return stream_ == nullptr ? core::ByteSpan() : stream_->bytes();
}

void PlayedMesh::prepare(core::ByteSpan bytes, core::Background& background) {
    auto preparation = std::make_shared<Preparation>();
    preparation->bytes.assign(bytes.begin(), bytes.end());
    preparation->goals_in_use = field_->goals_in_use();
    if (!preparations_.empty() && preparations_.back()->bytes == preparation->bytes) {
        const GoalSets& goals = preparations_.back()->goals_in_use;
        if (goals_beyond(preparation->goals_in_use, goals).empty()) return;
        preparation->begun = preparations_.back();
        preparations_.pop_back();
    }
    preparation->base = stream_;
    if (!preparations_.empty()) preparation->before = preparations_.back();
    preparations_.push_back(preparation);
    background.start([preparation, field = field_] { preparation->run(*field); });
}

auto PlayedMesh::find_preparation(core::ByteSpan bytes) const -> Preparations::const_iterator {
    return std::ranges::find_if(preparations_, [&](const auto& preparation) {
        return std::ranges::equal(preparation->bytes, bytes);
    });
}

auto PlayedMesh::take_preparation(core::ByteSpan bytes) -> std::shared_ptr<Preparation> {
    const auto found = find_preparation(bytes);
    if (found == preparations_.end()) return nullptr;
    const std::shared_ptr<Preparation> taken = *found;
    preparations_.erase(preparations_.begin(), found + 1);
    return taken;
}

bool PlayedMesh::is_ready(core::ByteSpan bytes) const {
    const auto found = find_preparation(bytes);
    return found == preparations_.end() || (*found)->done.load(std::memory_order_acquire);
}

// implements: NET-012
void PlayedMesh::drop_preparation(core::ByteSpan bytes) { take_preparation(bytes); }

// implements: SYNC-043, SYNC-046, SYNC-053, SYNC-054, O-SYNC-13, O-SYNC-33
Result<ImportReport> PlayedMesh::import(core::ByteSpan bytes) {
    const std::shared_ptr<Preparation> prepared = take_preparation(bytes);
    const Result<SubstrateHeader> header = read_substrate_header(bytes);
    if (!header) return refuse(header.error());
    if (stream_ != nullptr && header->content_hash == stream_->version()) {
        return import_again(bytes);
    }
    const bool usable = prepared != nullptr && prepared->done.load(std::memory_order_acquire) &&
                        (header->kind == StreamKind::kFull || is_same(prepared->base, stream_));
    Result<NextMesh> next =
        usable ? std::move(*prepared->next) : make_next(stream_.get(), bytes, *field_, {});
    if (!next) return refuse(std::move(next.error()));
    stream_ = std::move(next->stream);
    field_->set_replica(std::move(next->replica), std::move(next->goals), stream_->version(),
                        std::move(next->flows));
    return ImportReport{next->kind, stream_->version(), true, {}};
}

/// A stream of the version that the field has. The replica stays, and with it every reference.
// implements: SYNC-048, SYNC-049, O-SYNC-08, O-SYNC-33
Result<ImportReport> PlayedMesh::import_again(core::ByteSpan bytes) {
    const StreamKind kind = peek_stream_kind(bytes).value_or(StreamKind::kFull);
    if (kind == StreamKind::kFull) {
        if (const auto view = NavMeshView::check(bytes); !view) return refuse(view.error());
    } else if (const auto delta = NavMeshDeltaView::check(bytes); !delta) {
        return refuse(delta.error());
    }
    if (!field_->flood_applied()) field_->update(false);
    return ImportReport{kind, stream_->version(), false, {}};
}

// implements: SYNC-063
void PlayedMesh::release() {
    field_->release_replica();
    stream_ = nullptr;
    preparations_.clear();
}

}  // namespace maniple::substrate
