#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "maniple/net/wire.h"

namespace maniple::net {

/// Ticks a receiver collects ahead of what it has; slices beyond are dropped and sent again.
inline constexpr Tick kRecordsAheadMax = 64;
/// Bytes of the shares of one client that wait for their ticks; slices beyond are dropped.
inline constexpr std::size_t kShareBytesMax = std::size_t{16} << 20;
/// Datagrams one poll sends to one peer.
inline constexpr std::size_t kPollDatagramsMax = 32;
/// A peer that hears no acknowledgement sends everything open again after this time.
inline constexpr std::int64_t kResendMs = 40;
/// A full stream that was asked for and is not there is asked for again after this time, so often
/// in all; then a snapshot is (O-NET-04).
inline constexpr std::int64_t kStreamRepeatMs = 2000;
inline constexpr int kStreamTriesMax = 5;
/// A client's requests for streams that come sooner after each other are passed over.
inline constexpr std::int64_t kStreamSpacingMs = 250;
/// Repairs of a client, each a question or a snapshot: so many at once, and one more after each
/// while; what comes sooner waits.
inline constexpr std::int64_t kRepairsAtOnce = 16;
inline constexpr std::int64_t kRepairSpacingMs = 250;
/// A client that reports no further tick for so long is not waited for.
inline constexpr std::int64_t kStalledMs = 10'000;
/// Records before the newest that go along with it, against loss.
inline constexpr Tick kRedundantTicks = 3;

/// Puts the parts of records together. A record of another tick or with another number of parts is
/// another record; the first one seen of a tick stands.
class RecordAssembler {
  public:
    /// True if the slice fits what is here of its tick.
    [[nodiscard]] bool fits(const Slice& slice) const {
        const auto found = open_.find(slice.tick);
        return found == open_.end() || found->second.parts.size() == slice.parts;
    }
    /// Adds a slice; one that does not fit is left out. @return the record when it is whole; it is
    /// forgotten here.
    std::optional<Bytes> add(const Slice& slice) {
        if (!fits(slice)) return std::nullopt;
        if (slice.parts == 1) return Bytes(slice.bytes.begin(), slice.bytes.end());
        Open& open = open_[slice.tick];
        open.parts.resize(slice.parts);
        Bytes& part = open.parts[slice.part];
        if (!part.empty()) return std::nullopt;
        part.assign(slice.bytes.begin(), slice.bytes.end());
        bytes_ += part.size();
        if (++open.present < open.parts.size()) return std::nullopt;
        Bytes record;
        for (const Bytes& p : open.parts) record.insert(record.end(), p.begin(), p.end());
        bytes_ -= record.size();
        open_.erase(slice.tick);
        return record;
    }
    /// Forgets everything up to `tick`.
    void drop_through(Tick tick) {
        for (; !open_.empty() && open_.begin()->first <= tick; open_.erase(open_.begin())) {
            for (const Bytes& part : open_.begin()->second.parts) bytes_ -= part.size();
        }
    }
    /// Of all parts that are here.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    struct Open {
        std::vector<Bytes> parts;
        std::size_t present = 0;
    };
    std::map<Tick, Open> open_;
    std::size_t bytes_ = 0;
};

/// Which records to send now: the new ones with a few before them, or from time to time everything
/// the other side has not acknowledged.
class SendWindow {
  public:
    void restart(Tick acked) {
        acked_ = acked;
        sent_ = acked;
    }
    /// @return true if the acknowledgement is news.
    bool acknowledge(Tick tick, std::int64_t now_ms) {
        if (tick <= acked_) return false;
        acked_ = tick;
        sent_ = std::max(sent_, tick);
        resent_ms_ = now_ms;
        return true;
    }
    [[nodiscard]] Tick acked() const { return acked_; }
    /// The first tick to send of those up to `newest`; newest + 1 when there is nothing to send.
    [[nodiscard]] Tick first_due(Tick newest, std::int64_t now_ms) {
        if (newest > acked_ && now_ms - resent_ms_ >= kResendMs) {
            resent_ms_ = now_ms;
            return acked_ + 1;
        }
        if (newest <= sent_) return newest + 1;
        return std::max(acked_ + 1, sent_ + 1 - kRedundantTicks);
    }
    void sent_through(Tick tick) { sent_ = std::max(sent_, tick); }

  private:
    Tick acked_ = 0;
    Tick sent_ = 0;
    std::int64_t resent_ms_ = 0;
};

}  // namespace maniple::net
