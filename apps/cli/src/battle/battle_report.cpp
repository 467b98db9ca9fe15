#include "battle_report.h"

#include <algorithm>
#include <fmt/core.h>
#include <sodium.h>
#include <string_view>

#include "maniple/core/hash.h"
#include "maniple/substrate/played_mesh.h"

#include "battle_pictures.h"
#include "battle_text.h"
#include "file_io.h"

namespace maniple::cli {
namespace {

constexpr std::string_view kStyle = R"(<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2rem auto;padding:0 1rem;
color:#1c222b;background:#fbfaf7}
h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}
.verdict{padding:.6rem .9rem;border-radius:6px;margin:1rem 0}
.good{background:#dff2e1}.bad{background:#fbdcd8}
table{border-collapse:collapse;width:100%}td,th{padding:.3rem .6rem;text-align:right;
border-bottom:1px solid #e4e0d6}td:first-child,th:first-child{text-align:left}
code,.hash{font:13px ui-monospace,monospace}
.views{display:flex;flex-wrap:wrap;gap:14px}figure{margin:0}img{max-width:100%;border:1px solid
#cbc6b9;image-rendering:pixelated}.views figure{flex:1 1 300px}figcaption{color:#5c6470}
.chart{width:100%;height:140px;background:#fff;border:1px solid #e4e0d6}
.bar{fill:#6f8fb8}.over{fill:#37475e}.axis{color:#5c6470;margin:.2rem 0}
.strip{width:100%;height:18px}.equal{fill:#5aa469}.differs{fill:#d33}.absent{fill:#dcd8cd}
.key span{display:inline-block;width:.9em;height:.9em;margin:0 .35em 0 1em;vertical-align:-1px}
.blue{color:#1e5edc}.red{color:#d62820}
</style>)";

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string image(const Picture& picture, const std::string& caption) {
    const core::Bytes png = picture.encode_png();
    constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
    std::string base64(sodium_base64_ENCODED_LEN(png.size(), kVariant), '\0');
    sodium_bin2base64(base64.data(), base64.size(), png.data(), png.size(), kVariant);
    base64.pop_back();  // the terminator
    return fmt::format(
        "<figure><img alt='{0}' src='data:image/png;base64,{1}'><figcaption>{0}</figcaption>"
        "</figure>",
        escaped(caption), base64);
}

std::string verdict(const ServerOutcome& server, const Judgement& judgement) {
    if (judgement.failures.empty()) {
        return fmt::format(
            "<p class='verdict good'>Every peer ended on <span class=hash>{}</span>, and the "
            "replay, simulated again, gave every one of its {} tick hashes.</p>",
            core::hex16(server.final_hash), judgement.replay.ticks);
    }
    std::string text = "<div class='verdict bad'>This battle failed:<ul>";
    for (const std::string& failure : judgement.failures) {
        text += "<li>" + escaped(failure) + "</li>";
    }
    return text + "</ul></div>";
}

std::string agreement(const BattleRun& run, const Judgement& judgement) {
    std::string text =
        "<h2>Hash agreement</h2><p class=key><span style='background:#5aa469'></span>the server's "
        "hash<span style='background:#d33'></span>another<span style='background:#dcd8cd'></span>"
        "not playing</p><table>";
    const sim::Tick ticks = run.server ? run.server->ticks : 0;
    constexpr std::array<std::string_view, 3> kClass{"absent", "equal", "differs"};
    for (const ClientAgreement& client : judgement.agreement) {
        text += fmt::format(
            "<tr><td>client {}</td><td style='width:88%'><svg class=strip viewBox='0 0 {} 10' "
            "preserveAspectRatio=none>",
            client.client, std::max(1, ticks));
        for (const AgreementStretch& stretch : client.stretches) {
            text += fmt::format(
                "<rect x={} y=0 width={} height=10 class={}><title>ticks {} to {}</title></rect>",
                stretch.first - 1, stretch.last - stretch.first + 1,
                kClass[static_cast<std::size_t>(stretch.agreement)], stretch.first, stretch.last);
        }
        text += "</svg></td></tr>";
    }
    return text + "</table>";
}

std::string teams(const ServerOutcome& server) {
    std::string text = "<table><tr><th>team</th><th>spawned</th><th>alive</th><th>lost</th></tr>";
    for (std::size_t team = 0; team < server.spawned.size(); ++team) {
        text += fmt::format("<tr><td class={}>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                            team == 0 ? "blue" : "red", team, server.spawned[team],
                            server.alive[team], server.spawned[team] - server.alive[team]);
    }
    return text + "</table>";
}

std::string caption_of(const MapView& view) {
    return fmt::format("tick {}: {} units", view.tick, view.units.size() / 3);
}

std::string grid_pictures(const terrain::GridMap& map, const std::vector<MapView>& views) {
    const CellBox box = battlefield_of(map, views);
    std::string text;
    for (const MapView& view : views) text += image(draw_view(map, box, view), caption_of(view));
    return text + image(draw_overview(map, box), "the whole map; the frame is the part above");
}

/// On the ground before tick 1.
std::string mesh_pictures(core::ByteSpan start, const std::vector<MapView>& views) {
    substrate::PlayedMesh played(std::string(skirmish::kFieldName), {});
    if (!played.import(start)) return "";
    std::string text;
    for (const MapView& view : views) {
        const Result<Picture> picture = draw_mesh_view(played.field(), view);
        if (picture) text += image(*picture, caption_of(view));
    }
    return text;
}

std::string pictures(const BattleSetup& setup, const ServerOutcome& server) {
    if (server.views.empty()) return "";
    const BattleGround& ground = setup.ground;
    return "<h2>The battlefield</h2><div class=views>" +
           (ground.grid ? grid_pictures(*ground.grid, server.views)
                        : mesh_pictures(ground.start, server.views)) +
           "</div>";
}

}  // namespace

Result<void> write_battle_report(const std::string& path, const BattleSetup& setup,
                                 const BattleRun& run, const Judgement& judgement) {
    const ServerOutcome server = run.server.value_or(ServerOutcome{});
    std::string page =
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
        "content='width=device-width'>";
    page +=
        fmt::format("<title>Battle of {}</title>{}<h1>Battle of {}</h1>",
                    escaped(setup.options.ground.map), kStyle, escaped(setup.options.ground.map));
    page += fmt::format("<p>{} units, {} ticks at {} a second, seed {}, {} clients</p>",
                        setup.options.units, server.ticks, sim::kDefaultTickRateHz,
                        setup.options.seed, setup.options.clients);
    page += verdict(server, judgement);
    page += teams(server);
    page += pictures(setup, server);
    page += "<h2>Tick times of the server</h2>" + tick_chart_svg(server.tick_times_ms);
    page += agreement(run, judgement);
    page += "<h2>Result</h2><pre><code>" + escaped(battle_table(setup, run, judgement)) +
            "</code></pre></html>\n";
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(page.data());
    return write_file(path, {bytes, page.size()});
}

}  // namespace maniple::cli
