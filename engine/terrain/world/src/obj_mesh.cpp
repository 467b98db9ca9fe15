#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "maniple/terrain/height_map.h"
#include "maniple/terrain/triangle_mesh.h"

namespace maniple::terrain {
namespace {

/// The blank-separated words of one line.
class LineWords {
  public:
    /// The line text[begin, end).
    LineWords(std::string_view text, std::size_t begin, std::size_t end)
        : text_(text), at_(begin), end_(end) {}

    /// The next word; empty at the line's end.
    std::string_view next() {
        while (at_ < end_ && is_blank(text_[at_])) ++at_;
        const std::size_t begin = at_;
        while (at_ < end_ && !is_blank(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    /// Where a word of this text begins, or, for an empty one, the line ended.
    [[nodiscard]] std::size_t offset_of(std::string_view word) const {
        return word.empty() ? end_ : static_cast<std::size_t>(word.data() - text_.data());
    }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

    std::string_view text_;
    std::size_t at_;
    std::size_t end_;
};

Vec3d cross(Vec3d a, Vec3d b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

class ObjReader {
  public:
    ObjReader(std::string_view text, double unit_cm) : text_(text), unit_cm_(unit_cm) {}

    Result<TriangleMesh> read() {
        for (std::size_t begin = 0; begin < text_.size() && !error_;) {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            read_line(begin, end);
            begin = end + 1;
        }
        if (error_) return refuse(*error_);
        if (mesh_.triangles.empty()) {
            return refuse(ErrorCode::kNoGround, text_.size(), "no face with an area");
        }
        return std::move(mesh_);
    }

  private:
    void fail(ErrorCode code, std::size_t at, std::string message) {
        if (!error_) error_ = Error{code, at, std::move(message)};
    }

    void read_line(std::size_t begin, std::size_t end) {
        LineWords words(text_, begin, end);
        const std::string_view keyword = words.next();
        if (keyword == "v") read_vertex(words, begin);
        if (keyword == "f") read_face(words);
    }

    double read_coordinate(LineWords& words) {
        std::string_view word = words.next();
        const std::size_t at = words.offset_of(word);
        if (word.empty()) fail(ErrorCode::kTruncated, at, "a vertex has three coordinates");
        if (word.starts_with('+')) word.remove_prefix(1);
        double value = 0;
        const auto [rest, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (problem == std::errc::result_out_of_range) {
            fail(ErrorCode::kBadValue, at, "a coordinate out of range");
        } else if (problem != std::errc{} || rest != word.data() + word.size()) {
            fail(ErrorCode::kBadText, at, "a coordinate expected");
        } else if (!(std::abs(value * unit_cm_) <= kCoordinateMaxCm)) {
            fail(ErrorCode::kBadValue, at, "a coordinate that is not within 1000 km");
        }
        return value;
    }

    void read_vertex(LineWords& words, std::size_t line_at) {
        if (mesh_.vertices.size() == kVerticesMax) {
            fail(ErrorCode::kOverCap, line_at,
                 "more than " + std::to_string(kVerticesMax) + " vertices");
            return;
        }
        const double x = read_coordinate(words);
        const double y = read_coordinate(words);
        const double z = read_coordinate(words);
        mesh_.vertices.push_back({-x * unit_cm_, -z * unit_cm_, y * unit_cm_});
    }

    /// `7`, `7/1`, `7//2`, `-1/…`: the vertex in front of the first slash, from 1, or back from the
    /// last one.
    std::uint32_t read_corner(const LineWords& words, std::string_view word) {
        const std::size_t at = words.offset_of(word);
        const std::string_view number = word.substr(0, word.find('/'));
        std::int64_t index = 0;
        const auto [rest, problem] =
            std::from_chars(number.data(), number.data() + number.size(), index);
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        if (problem != std::errc{} || rest != number.data() + number.size()) {
            fail(ErrorCode::kBadText, at, "a vertex number expected");
        } else if (index == 0 || index > count || index < -count) {
            fail(ErrorCode::kBadValue, at,
                 "vertex " + std::to_string(index) + " of " + std::to_string(count) + " so far");
        }
        return error_ ? 0 : static_cast<std::uint32_t>(index > 0 ? index - 1 : count + index);
    }

    void read_face(LineWords& words) {
        std::array<std::uint32_t, 3> corners{};
        std::size_t count = 0;
        for (std::string_view word = words.next(); !word.empty() && !error_; word = words.next()) {
            const std::uint32_t corner = read_corner(words, word);
            if (count >= 3) corners[1] = corners[2];
            corners[std::min<std::size_t>(count, 2)] = corner;
            if (++count >= 3 && !error_) add_triangle(corners, words.offset_of(word));
        }
        if (count < 3) {
            fail(ErrorCode::kTruncated, words.offset_of({}), "a face has three corners or more");
        }
    }

    void add_triangle(const std::array<std::uint32_t, 3>& corners, std::size_t at) {
        const Vec3d a = mesh_.vertices[corners[0]];
        const Vec3d n = cross(mesh_.vertices[corners[1]] - a, mesh_.vertices[corners[2]] - a);
        constexpr double kAreaMin = 1e-6;  // Of the parallelogram, squared centimetres.
        if (n.x * n.x + n.y * n.y + n.z * n.z < kAreaMin * kAreaMin) return;
        if (mesh_.triangles.size() == kTrianglesMax) {
            fail(ErrorCode::kOverCap, at,
                 "more than " + std::to_string(kTrianglesMax) + " triangles");
            return;
        }
        // The world mirrors the file's axes: the other way round it faces the same side.
        mesh_.triangles.push_back({corners[0], corners[2], corners[1]});
    }

    std::string_view text_;
    double unit_cm_;
    TriangleMesh mesh_;
    std::optional<Error> error_;
};

}  // namespace

Result<TriangleMesh> read_obj_mesh(core::ByteSpan bytes, double unit_cm) {
    return ObjReader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, unit_cm).read();
}

}  // namespace maniple::terrain
