#include "peer_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "maniple/net/clock.h"

#include "exit_status.h"
#include "interrupt.h"
#include "json_text.h"

namespace maniple::cli {
namespace {

/// The child's side of start(): never returns.
[[noreturn]] void run_child(const std::string& name, pid_t parent, int reports,
                            const std::function<int(const Reporter&)>& body) {
    // Ctrl-C reaches the whole group; only the starter decides what it means.
    catch_interrupts();
    std::signal(SIGINT, SIG_IGN);
    ::prctl(PR_SET_NAME, name.c_str());
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kCheckFailed);
    ::_exit(body(Reporter(reports)));
}

}  // namespace

void Reporter::send(const nlohmann::json& message) const {
    const std::string line = json_text(message) + "\n";
    std::size_t sent = 0;
    while (sent < line.size()) {
        const ssize_t done = ::write(fd_, line.data() + sent, line.size() - sent);
        if (done < 0 && errno != EINTR) return;  // nobody listens any more
        if (done > 0) sent += static_cast<std::size_t>(done);
    }
}

Result<PeerProcess> PeerProcess::start(std::string name,
                                       const std::function<int(const Reporter&)>& body) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return refuse(ErrorCode::kIo, std::string("pipe: ") + std::strerror(errno));
    }
    net::Descriptor read_end(ends[0]);
    const net::Descriptor write_end(ends[1]);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) return refuse(ErrorCode::kIo, std::string("fork: ") + std::strerror(errno));
    if (pid == 0) run_child(name, parent, write_end.get(), body);
    ::fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
    return PeerProcess(std::move(name), pid, std::move(read_end));
}

PeerProcess::PeerProcess(PeerProcess&& other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      reports_(std::move(other.reports_)),
      buffer_(std::move(other.buffer_)),
      messages_(std::move(other.messages_)),
      open_(other.open_),
      wait_status_(other.wait_status_) {}

PeerProcess& PeerProcess::operator=(PeerProcess&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(pid_, other.pid_);
    std::swap(reports_, other.reports_);
    std::swap(buffer_, other.buffer_);
    std::swap(messages_, other.messages_);
    std::swap(open_, other.open_);
    std::swap(wait_status_, other.wait_status_);
    return *this;
}

PeerProcess::~PeerProcess() {
    if (pid_ < 0) return;
    kill();
    reap();
}

void PeerProcess::read_reports() {
    std::array<char, 65'536> bytes;
    while (open_) {
        const ssize_t got = ::read(reports_.get(), bytes.data(), bytes.size());
        if (got > 0) {
            buffer_.append(bytes.data(), static_cast<std::size_t>(got));
        } else if (got == 0) {
            open_ = false;
        } else if (errno != EINTR) {
            open_ = errno == EAGAIN;
            break;
        }
    }
    std::size_t begin = 0;
    for (std::size_t end; (end = buffer_.find('\n', begin)) != std::string::npos; begin = end + 1) {
        auto message = nlohmann::json::parse(buffer_.begin() + static_cast<std::ptrdiff_t>(begin),
                                             buffer_.begin() + static_cast<std::ptrdiff_t>(end),
                                             nullptr, false);
        if (!message.is_discarded()) messages_.push_back(std::move(message));
    }
    buffer_.erase(0, begin);
}

std::optional<nlohmann::json> PeerProcess::take_message() {
    if (messages_.empty()) read_reports();
    if (messages_.empty()) return std::nullopt;
    nlohmann::json message = std::move(messages_.front());
    messages_.pop_front();
    return message;
}

Result<nlohmann::json> PeerProcess::wait_message(int wait_ms) {
    const std::int64_t end = net::monotonic_ms() + wait_ms;
    while (true) {
        if (auto message = take_message()) return std::move(*message);
        const std::int64_t left = end - net::monotonic_ms();
        if (!open_ || left <= 0) return refuse(ErrorCode::kPeerLost, name_ + " does not start");
        const std::array<int, 1> descriptors{reports_.get()};
        net::wait_readable(descriptors, static_cast<int>(left));
    }
}

void PeerProcess::ask_to_end() const {
    if (!wait_status_) ::kill(pid_, SIGTERM);
}

void PeerProcess::kill() {
    if (!wait_status_) ::kill(pid_, SIGKILL);
}

void PeerProcess::reap() {
    if (wait_status_) return;
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    wait_status_ = status;
}

std::string PeerProcess::end_text() {
    reap();
    if (WIFSIGNALED(*wait_status_)) {
        return "was killed by signal " + std::to_string(WTERMSIG(*wait_status_));
    }
    return "exited with status " + std::to_string(WEXITSTATUS(*wait_status_));
}

}  // namespace maniple::cli
