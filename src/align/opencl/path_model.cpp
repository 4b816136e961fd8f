// Interleaves the striped scores as the kernel reads them.
#include "align/opencl/path_model.hpp"

namespace gpuhmm::grid {

PathModel::PathModel(const GridModel& model)
    : steps(model.vectors()),
      nothing(model.striped.floor),
      crossings(model.striped.crossings.data(),
                model.striped.crossings.data() + model.striped.crossing_count()) {
  const auto& striped = model.striped;
  const ScoreModel& scores = model.scores;
  const auto begin_of = [&](std::size_t item, std::size_t step) {
    return striped.transitions[(step * striped.planes + kBegin) * kPathItems + item];
  };
  for (std::size_t s = 0; s < steps; ++s) {
    const std::int32_t* const planes = striped.transitions.data() + s * striped.planes * kPathItems;
    for (std::size_t item = 0; item < kPathItems; ++item) {
      const auto score = [&](GridPlane plane) { return planes[plane * kPathItems + item]; };
      deletes.push_back({{score(kMatchDelete), score(kDeleteDelete)}});
      inserts.push_back({{score(kMatchInsert), score(kInsertInsert)}});
      const std::size_t next = item * steps + s + 1;  // counted from 0
      begins.push_back(next < steps * kPathItems ? begin_of(next / steps, next % steps) : nothing);
    }
  }
  for (std::size_t place = 0; place < striped.codes * steps; ++place) {
    const std::int32_t* const match = striped.emissions.data() + place * 2 * kPathItems;
    for (std::size_t item = 0; item < kPathItems; ++item) {
      emissions.push_back({{match[item], match[kPathItems + item]}});
    }
  }
  specials = {cl_int4{{scores.n_begin, scores.n_loop, scores.e_to_c, scores.c_loop}},
              cl_int4{{scores.e_to_j, scores.j_loop, scores.j_begin, scores.c_end}},
              cl_int4{{begin_of(0, 0), 0, 0, 0}}};
}

}  // namespace gpuhmm::grid
