/**
 * pi's own compaction, driven by its own functions. Only in a clone of Pith: bench/peers turns messages into its form and back.
 * MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 pith eval --compactor ./examples/eval/pi.ts
 */
import { peerCompactor } from './peer.ts'

export const name = 'pi'
export default await peerCompactor('pi')
