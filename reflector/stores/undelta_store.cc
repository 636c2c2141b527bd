#include "reflector/stores/undelta_store.h"

#include "reflector/parity_switch.h"

namespace relist {

Result<void> UndeltaStore::Pushed(Result<void> written) {
  if (written.ok() && Behaves("AUX-05")) push_(store_.List());
  return written;
}

}  // namespace relist
