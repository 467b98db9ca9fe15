#pragma once

/// MANIPLE_ASSERT(cond): our own bug if it fails. One condition each; on unless NDEBUG is set
/// (Release). Bytes from outside never reach an assert: they get a Result.
namespace maniple::core {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}

#ifdef NDEBUG
#define MANIPLE_ASSERT(cond) static_cast<void>(sizeof(!(cond)))
#else
#define MANIPLE_ASSERT(cond) \
    ((cond) ? static_cast<void>(0) : ::maniple::core::assertion_failed(#cond, __FILE__, __LINE__))
#endif
