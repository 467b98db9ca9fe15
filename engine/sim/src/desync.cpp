#include "maniple/sim/desync.h"

#include <optional>
#include <string>

namespace maniple::sim {
namespace {

enum class AnswerForm : std::uint8_t { kNothing = 0, kRows = 1, kSection = 2 };

}  // namespace

core::Bytes encode_desync_question(const TickHistory::Entry& own) {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    encode_hash_tree(own.tree, out);
    return bytes;
}

core::Bytes answer_desync(const GameDefinition& definition, const TickHistory& history, Tick tick,
                          core::ByteSpan question) {
    core::Bytes answer;
    core::ByteWriter out(answer);
    core::ByteReader in(question);
    const HashTree server = decode_hash_tree(definition, in);
    const TickHistory::Entry* own = history.find(tick);
    std::optional<DifferenceAddress> at;
    if (own != nullptr && in.ok()) at = first_difference(server, own->tree);
    if (!at) {
        out.u8(static_cast<std::uint8_t>(AnswerForm::kNothing));
    } else if (at->group < 0) {
        out.u8(static_cast<std::uint8_t>(AnswerForm::kSection));
        out.u8(static_cast<std::uint8_t>(at->section));
    } else {
        out.u8(static_cast<std::uint8_t>(AnswerForm::kRows));
        encode_block_rows(block_rows(own->columns, *at, row_bytes_at(definition, *at)), out);
    }
    return answer;
}

Result<FieldDifference> name_desync(const GameDefinition& definition, const TickHistory::Entry& own,
                                    core::ByteSpan answer) {
    core::ByteReader in(answer);
    const std::uint8_t form = in.u8();
    if (!in.ok()) return refuse(in.error());
    if (form == static_cast<std::uint8_t>(AnswerForm::kNothing)) {
        return refuse(ErrorCode::kNotFound, "the client does not hold the tick");
    }
    if (form == static_cast<std::uint8_t>(AnswerForm::kSection)) {
        const std::uint8_t section = in.u8();
        if (!in.ok()) return refuse(in.error());
        if (section >= static_cast<std::uint8_t>(HashSection::kCount)) {
            return refuse(ErrorCode::kBadValue, 1, "section " + std::to_string(section));
        }
        FieldDifference difference;
        difference.fragment = hash_section_name(static_cast<HashSection>(section));
        return difference;
    }
    if (form != static_cast<std::uint8_t>(AnswerForm::kRows)) {
        return refuse(ErrorCode::kBadValue, 0, "answer form " + std::to_string(form));
    }
    const BlockRows theirs = decode_block_rows(definition, in);
    if (!in.ok()) return refuse(in.error());
    const BlockRows ours =
        block_rows(own.columns, theirs.address, row_bytes_at(definition, theirs.address));
    auto difference = compare_block_rows(definition, ours, theirs);
    if (!difference) return refuse(ErrorCode::kNotFound, "the rows that were sent are equal");
    return std::move(*difference);
}

}  // namespace maniple::sim
