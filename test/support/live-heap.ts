import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The bytes of the heap that something still holds. */
export function liveHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return getHeapStatistics().used_heap_size
}
