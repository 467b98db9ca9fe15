#pragma once

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maniple/nav/mesh_field.h"

#include "mesh_worlds.h"

namespace maniple::nav {

using tests::at;
using tests::bake;
using tests::BakedMesh;
using tests::BakeSettings;

/// A host with navmeshes by name.
class NamedMeshes final : public NavProvider {
  public:
    void add(const std::string& name, const BakedMesh& baked) {
        auto mesh = std::make_shared<NavMesh>();
        mesh->name = name;
        mesh->params = baked.params;
        for (std::size_t i = 0; i < baked.blobs.size(); ++i) {
            mesh->tiles.push_back({baked.slots[i], baked.blobs[i]});
        }
        mesh->area_costs.fill(1);
        EXPECT_TRUE(mesh->assemble());
        meshes_[name] = std::move(mesh);
    }
    [[nodiscard]] std::shared_ptr<const NavMesh> find(std::string_view name) const override {
        ++asked;
        const auto found = meshes_.find(name);
        return found == meshes_.end() ? nullptr : found->second;
    }
    [[nodiscard]] std::shared_ptr<const NavMesh> default_mesh() const override {
        ++asked;
        return find("default");
    }
    mutable int asked = 0;

  private:
    std::map<std::string, std::shared_ptr<const NavMesh>, std::less<>> meshes_;
};

/// A field over a plain of 32 m by 8 m, or over another world, that writes down what it logs.
class MeshFieldTest : public testing::Test {
  protected:
    static BakeSettings plain() { return {.tiles_x = 4, .tiles_z = 1, .height = tests::flat}; }

    MeshField make(const BakeSettings& settings, FieldConfig config = {}) {
        meshes.add("default", bake(settings));
        return make(std::move(config));
    }
    MeshField make(FieldConfig config = {}) {
        host.log = [this](const core::LogEntry& entry) { codes.push_back(entry.code); };
        return MeshField("mesh", std::move(config), host, &meshes);
    }
    static constexpr int code(MeshFieldLog log) { return static_cast<int>(log); }

    NamedMeshes meshes;
    FieldHost host;
    std::vector<int> codes;
};

}  // namespace maniple::nav
