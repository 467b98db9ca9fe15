#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/sim/hash_tree.h"

namespace maniple::sim {

struct Body {
    bool is_alive = true;
    double x = 0;
};
BOOST_DESCRIBE_STRUCT(Body, (), (is_alive, x))
struct Marked {};
BOOST_DESCRIBE_STRUCT(Marked, (), ())

namespace {

const GameDefinition& definition() {
    static const GameDefinition kDefinition = [] {
        GameDefinition game("fuzz");
        game.add_fragment<Body>("Body");
        game.add_fragment<Marked>("Marked");
        TemplateBuilder(game, "archer").with(Body{}).with(Marked{}).add();
        TemplateBuilder(game, "tower").with(Body{}).add();
        game.seal();
        return game;
    }();
    return kDefinition;
}

/// Accepted bytes are the only byte form of what they hold.
void require_same(core::ByteSpan read, const core::Bytes& written) {
    if (!std::equal(read.begin(), read.end(), written.begin(), written.end())) std::abort();
}

}  // namespace
}  // namespace maniple::sim

/// The bytes as a peer's hash tree and as a peer's block: refused inside the input, or written back
/// to the same bytes; a thing never differs from itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maniple;
    core::ByteReader tree_in({data, size});
    const sim::HashTree tree = sim::decode_hash_tree(sim::definition(), tree_in);
    if (tree_in.ok()) {
        core::Bytes bytes;
        core::ByteWriter out(bytes);
        sim::encode_hash_tree(tree, out);
        sim::require_same({data, tree_in.at()}, bytes);
        if (sim::first_difference(tree, tree)) std::abort();
    } else if (tree_in.error().at_byte > size) {
        std::abort();
    }

    core::ByteReader rows_in({data, size});
    const sim::BlockRows rows = sim::decode_block_rows(sim::definition(), rows_in);
    if (rows_in.ok()) {
        core::Bytes bytes;
        core::ByteWriter out(bytes);
        sim::encode_block_rows(rows, out);
        sim::require_same({data, rows_in.at()}, bytes);
        if (sim::compare_block_rows(sim::definition(), rows, rows)) std::abort();
    } else if (rows_in.error().at_byte > size) {
        std::abort();
    }
    return 0;
}
