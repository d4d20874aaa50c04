/**
 * Gemini CLI's ChatCompressionService, driven by its own functions. Only in a clone of Pith: bench/peers turns messages into its form and back.
 * MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 pith eval --compactor ./examples/eval/gemini-cli.ts
 */
import { peerCompactor } from './peer.ts'

export const name = 'Gemini CLI'
export default await peerCompactor('gemini')
