#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/core/hash.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/substrate/played_field.h"

namespace {
using namespace maniple;

void import_and_export(core::ByteSpan bytes) {
    substrate::PlayedField played("fuzz", nav::FieldConfig{});
    const Result<substrate::ImportReport> report = played.import(bytes);
    const nav::FlowField& field = played.field();
    if (!report) {
        const std::uint64_t at = report.error().at_byte;
        if (at != Error::kNoOffset && at > bytes.size()) std::abort();
        if (field.synced() || field.initialised()) std::abort();
        return;
    }
    const Result<substrate::CheckedStream> again = substrate::export_substrate(field);
    if (!again || !std::ranges::equal(again->bytes(), bytes)) std::abort();
}
}  // namespace

/// Any bytes as a stream for an empty field, as they are and again with the content hash mended:
/// refused inside the input with the field untouched, or imported and exported as the same bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    import_and_export({data, size});
    if (size < substrate::kFullIdentityOffset) return 0;
    core::Bytes mended(data, data + size);
    core::store_le(mended.data() + substrate::kHashOffset, substrate::content_hash(mended));
    import_and_export(mended);
    return 0;
}
