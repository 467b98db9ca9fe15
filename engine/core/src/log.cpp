#include "maniple/core/log.h"

namespace maniple::core {

LogSink null_log() {
    return [](const LogEntry&) {};
}

}  // namespace maniple::core
