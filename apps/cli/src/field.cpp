#include "field.h"

#include "field_build.h"
#include "field_edit.h"
#include "field_path.h"
#include "field_query.h"
#include "field_render.h"
#include "field_solve.h"
#include "field_stream.h"

namespace maniple::cli {

void add_field(CLI::App& app, int& status) {
    CLI::App* field = app.add_subcommand("field", "Build, change, solve and look at flow fields");
    field->require_subcommand(1);
    add_field_build(*field, status);
    add_field_info(*field, status);
    add_field_edit(*field, status);
    add_field_diff(*field, status);
    add_field_apply(*field, status);
    add_field_solve(*field, status);
    add_field_query(*field, status);
    add_field_path(*field, status);
    add_field_render(*field, status);
}

}  // namespace maniple::cli
