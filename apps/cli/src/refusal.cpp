#include "refusal.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "json_text.h"
#include "printable.h"

namespace maniple::cli {

nlohmann::json error_json(const Error& error) {
    nlohmann::json object{
        {"code", error_code_name(error.code)}, {"at_byte", nullptr}, {"message", error.message}};
    if (error.at_byte != Error::kNoOffset) object["at_byte"] = error.at_byte;
    return object;
}

void report_refusal(const Error& error, const std::string& source, bool json) {
    fmt::print(stderr, "{}\n", printable(describe(error, source)));
    if (json) fmt::print("{}\n", json_text({{"error", error_json(error)}}));
}

}  // namespace maniple::cli
