#include "maniple/core/background.h"

#include "maniple/core/executor.h"

#ifdef MANIPLE_WITH_TBB
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#endif

namespace maniple::core {

void InlineBackground::start(std::function<void()> job) {
    const FloatEnvironment environment;
    job();
}

#ifdef MANIPLE_WITH_TBB
namespace {

class ThreadBackground final : public Background {
  public:
    ThreadBackground() : worker_([this] { work(); }) {}
    ~ThreadBackground() override {
        {
            const std::scoped_lock lock(mutex_);
            ending_ = true;
        }
        woken_.notify_one();
        worker_.join();
    }

    void start(std::function<void()> job) override {
        {
            const std::scoped_lock lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        woken_.notify_one();
    }

  private:
    void work() {
        const FloatEnvironment environment;
        while (const std::function<void()> job = next()) job();
    }
    /// Empty at the end.
    std::function<void()> next() {
        std::unique_lock lock(mutex_);
        woken_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
        if (ending_) return {};
        std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        return job;
    }

    std::mutex mutex_;
    std::condition_variable woken_;
    std::deque<std::function<void()>> jobs_;
    bool ending_ = false;
    std::thread worker_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<Background> make_background() { return std::make_unique<ThreadBackground>(); }
#else
std::unique_ptr<Background> make_background() { return std::make_unique<InlineBackground>(); }
#endif

}  // namespace maniple::core
