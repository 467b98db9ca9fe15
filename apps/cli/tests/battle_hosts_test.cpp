#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>

#include "maniple/core/executor.h"
#include "maniple/net/clock.h"
#include "maniple/net/links.h"

#include "client_host.h"
#include "file_io.h"
#include "held_background.h"
#include "server_host.h"

// The hosts of a battle on a navmesh, over memory links, with workers that the test holds back.
namespace maniple::cli {
namespace {

constexpr sim::Tick kEditEvery = 10;
constexpr sim::Tick kTicks = 40;

/// A plain of 60 m by 40 m, metres.
constexpr std::string_view kPlain =
    "v 0 0 0\nv 0 0 40\nv 60 0 40\nv 60 0 0\n"
    "f 1 2 3 4\n";

class BattleHosts : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::path(testing::TempDir()) /
                  testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::create_directories(folder_);
        const std::string map = path("plain.obj");
        ASSERT_TRUE(
            write_file(map, {reinterpret_cast<const std::uint8_t*>(kPlain.data()), kPlain.size()})
                .has_value());
        BattleOptions options;
        options.ground.map = map;
        options.ground.mode = "navmesh";
        options.units = 40;
        options.ticks = kTicks;
        options.clients = 2;
        options.late_join = kEditEvery - 1;
        options.edit_map_every = kEditEvery;
        auto setup = prepare_battle(options);
        ASSERT_TRUE(setup.has_value());
        setup_ = std::make_unique<BattleSetup>(std::move(*setup));
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    struct Client {
        std::unique_ptr<net::ClientLinks> links;
        std::unique_ptr<HashTraceWriter> trace;
        std::unique_ptr<ClientHost> host;
        bool playing = true;
    };
    std::unique_ptr<HashTraceWriter> make_trace(const std::string& name) {
        auto trace = HashTraceWriter::create(path(name));
        EXPECT_TRUE(trace.has_value());
        return std::make_unique<HashTraceWriter>(std::move(*trace));
    }
    void start_server(std::unique_ptr<core::Background> worker) {
        server_trace_ = make_trace("trace");
        server_ = std::make_unique<ServerHost>(*setup_, network_.server(), executor_,
                                               *server_trace_, path("replay"), std::move(worker));
    }
    Client& start_client(std::int32_t index, std::unique_ptr<core::Background> worker) {
        Client& client = clients_[index];
        client.links = network_.connect(static_cast<std::uint32_t>(index), {});
        client.trace = make_trace("trace" + std::to_string(index));
        client.host = std::make_unique<ClientHost>(*setup_, net::ClientIndex{index}, *client.links,
                                                   executor_, *client.trace, std::move(worker));
        return client;
    }
    /// Pumps all peers until `done`, for ten seconds at most.
    bool pump_until(const std::function<bool()>& done) {
        const std::int64_t end_ms = net::monotonic_ms() + 10'000;
        while (!done()) {
            if (net::monotonic_ms() > end_ms) return false;
            if (serving_) serving_ = server_->pump(1);
            for (auto& [index, client] : clients_) {
                if (client.playing) client.playing = client.host->pump(0);
            }
        }
        return true;
    }
    /// Both workers work from now on, and the late joiner is here.
    void expect_battle_ends_well(tests::HeldBackground& held) {
        EXPECT_TRUE(pump_until([&] {
            held.run_all();
            bool someone_plays = serving_;
            for (const auto& [index, client] : clients_) someone_plays |= client.playing;
            return !someone_plays;
        }));
        EXPECT_EQ(server_->outcome().error, "");
        EXPECT_EQ(server_->outcome().ticks, kTicks);
        EXPECT_EQ(server_->outcome().delta_streams.count, kTicks / kEditEvery);
        EXPECT_EQ(clients_.size(), 2u);
        for (const auto& [index, client] : clients_) {
            EXPECT_EQ(client.host->outcome().error, "");
            EXPECT_EQ(client.host->outcome().final_hash, server_->outcome().final_hash);
        }
    }

    std::filesystem::path folder_;
    std::unique_ptr<BattleSetup> setup_;
    core::SerialExecutor executor_;
    net::MemoryNetwork network_;
    std::unique_ptr<HashTraceWriter> server_trace_;
    std::unique_ptr<ServerHost> server_;
    bool serving_ = true;
    std::map<std::int32_t, Client> clients_;
};

// proves: O-SYNC-13
TEST_F(BattleHosts, AServerTicksAndAnswersWhileTheTilesOfTheNextEditAreBaked) {
    auto worker = std::make_unique<tests::HeldBackground>();
    tests::HeldBackground& held = *worker;
    start_server(std::move(worker));
    EXPECT_EQ(held.size(), 1u) << "begins before the first tick";
    start_client(1, core::make_background());
    ASSERT_TRUE(pump_until([&] { return server_->tick() == kEditEvery - 1; }));
    const Client& late = start_client(2, core::make_background());
    ASSERT_TRUE(pump_until([&] { return late.links->traffic().bytes_in > 0; }));
    EXPECT_EQ(server_->tick(), kEditEvery - 1);
    EXPECT_EQ(held.size(), 1u);
    expect_battle_ends_well(held);
    const RebuildFigures rebuild = server_->outcome().rebuild;
    EXPECT_EQ(rebuild.count, std::size_t{kTicks / kEditEvery});
    // The first edit waited for its tiles and for its mesh. The meshes of the others were there:
    // they waited at most for the flows of layers that came in use since.
    EXPECT_GE(rebuild.waits, 2u);
    EXPECT_LE(rebuild.waits, rebuild.count + 1);
    EXPECT_GT(rebuild.wait_ms.p50, 0);
}

// proves: O-SYNC-13
TEST_F(BattleHosts, AServersNextMeshIsComputedFromWhenItsTilesAreBaked) {
    auto worker = std::make_unique<tests::HeldBackground>();
    tests::HeldBackground& held = *worker;
    start_server(std::move(worker));
    held.run_all();  // The tiles of the first edit.
    EXPECT_EQ(held.size(), 0u);
    start_client(1, core::make_background());
    ASSERT_TRUE(pump_until([&] { return held.size() == 1; }));
    EXPECT_LT(server_->tick(), kEditEvery - 1) << "before its commands are there";
    held.run_all();
    ASSERT_TRUE(pump_until([&] { return server_->tick() == kEditEvery - 1; }));
    start_client(2, core::make_background());
    // The second edit's as well.
    ASSERT_TRUE(pump_until([&] {
        if (server_->tick() < kEditEvery) held.run_all();
        return server_->tick() == kEditEvery;
    }));
    EXPECT_EQ(held.size(), 1u) << "its tiles";
    held.run_all();
    ASSERT_TRUE(pump_until([&] { return held.size() == 1; }));
    EXPECT_LT(server_->tick(), 2 * kEditEvery - 1);
    expect_battle_ends_well(held);
}

// proves: ASY-013, O-SYNC-13
TEST_F(BattleHosts, AServerAnswersWhoAsksInWhileItsTickWaitsForTheNextMesh) {
    auto worker = std::make_unique<tests::HeldBackground>();
    tests::HeldBackground& held = *worker;
    start_server(std::move(worker));
    held.run_all();  // The tiles of the first edit.
    start_client(1, core::make_background());
    ASSERT_TRUE(pump_until([&] { return server_->tick() == kEditEvery - 1 && held.size() > 0; }));
    const Client& late = start_client(2, core::make_background());
    ASSERT_TRUE(pump_until([&] { return late.links->traffic().bytes_in > 0; }));
    EXPECT_EQ(server_->tick(), kEditEvery - 1);
    expect_battle_ends_well(held);
}

// proves: ASY-013, O-SYNC-13, O-NET-15
TEST_F(BattleHosts, AClientTakesInFramesAndReportsWhileItsTickWaitsForTheNextMesh) {
    auto worker = std::make_unique<tests::HeldBackground>();
    tests::HeldBackground& held = *worker;
    start_server(core::make_background());
    Client& client = start_client(1, std::move(worker));
    ASSERT_TRUE(pump_until([&] { return held.size() > 0; }));
    // The server goes on as far as the pace lets it, and then nothing new is said.
    const sim::Tick stands_at = kEditEvery - 1;
    ASSERT_TRUE(pump_until([&] { return server_->tick() == stands_at + kPaceLeadTicks; }));
    const net::Traffic then = client.links->traffic();
    ASSERT_TRUE(pump_until([&] { return client.links->traffic().bytes_out > then.bytes_out; }));
    EXPECT_EQ(client.host->outcome().final_tick, stands_at);
    EXPECT_GT(held.size(), 0u);
    start_client(2, core::make_background());
    expect_battle_ends_well(held);
}

}  // namespace
}  // namespace maniple::cli
