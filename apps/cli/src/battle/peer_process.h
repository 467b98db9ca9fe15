#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <sys/types.h>

#include "maniple/core/result.h"
#include "maniple/net/stream_socket.h"

namespace maniple::cli {

/// Where a peer's process reports to the one that started it: one JSON object a line.
class Reporter {
  public:
    explicit Reporter(int fd) : fd_(fd) {}
    void send(const nlohmann::json& message) const;

  private:
    int fd_;
};

/// One peer in a process of its own. The child runs `body` and exits with its result; it ends with
/// its parent, and SIGTERM asks it for a clean end (interrupted()). Reaped when destroyed, killed
/// first if it still runs.
class PeerProcess {
  public:
    /// Call while this process has one thread. `name` is shown by ps and in messages.
    /// @return kIo.
    [[nodiscard]] static Result<PeerProcess> start(std::string name,
                                                   const std::function<int(const Reporter&)>& body);
    ~PeerProcess();
    PeerProcess(PeerProcess&& other) noexcept;
    PeerProcess& operator=(PeerProcess&& other) noexcept;

    /// The next message that has arrived, if any; non-blocking.
    [[nodiscard]] std::optional<nlohmann::json> take_message();
    /// Waits for the next message. @return kPeerLost when none comes in time or the process ended.
    [[nodiscard]] Result<nlohmann::json> wait_message(int wait_ms);
    void ask_to_end() const;
    void kill();

    /// False once it exited or died and all its messages are taken.
    [[nodiscard]] bool running() const { return open_ || !messages_.empty(); }
    /// How it ended, in words: `exited with status 1`, `was killed by signal 9`; waits for it.
    [[nodiscard]] std::string end_text();
    [[nodiscard]] int descriptor() const { return reports_.get(); }
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    PeerProcess(std::string name, pid_t pid, net::Descriptor reports)
        : name_(std::move(name)), pid_(pid), reports_(std::move(reports)) {}
    void read_reports();
    void reap();

    std::string name_;
    pid_t pid_ = -1;
    net::Descriptor reports_;
    std::string buffer_;  ///< The line that is not whole yet.
    std::deque<nlohmann::json> messages_;
    bool open_ = true;
    std::optional<int> wait_status_;
};

}  // namespace maniple::cli
