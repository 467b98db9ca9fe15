// Built only as the fixture of tools.ForbiddenImportsAreNamed: each line is an import that a
// deterministic library must not have.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

double fixture_sine(double x) { return std::sin(x); }
float fixture_power(float x, float y) { return std::pow(x, y); }
double fixture_fused(double x, double y, double z) { return std::fma(x, y, z); }
std::time_t fixture_time() { return std::time(nullptr); }
long long fixture_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
int fixture_rand() { return std::rand(); }
double fixture_locale(const char* text) { return std::strtod(text, nullptr); }
std::size_t fixture_hash(const std::string& text) { return std::hash<std::string>{}(text); }
// Allowed: exactly rounded on every machine.
double fixture_allowed(double x) { return std::sqrt(std::floor(x)); }
