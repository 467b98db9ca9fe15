#include "interrupt.h"

#include <csignal>

namespace maniple::cli {
namespace {

volatile std::sig_atomic_t g_stop_requested = 0;
void request_stop(int) { g_stop_requested = 1; }

}  // namespace

void catch_interrupts() {
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
    std::signal(SIGHUP, request_stop);
}

bool interrupted() { return g_stop_requested != 0; }

}  // namespace maniple::cli
