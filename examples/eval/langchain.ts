/**
 * LangChain's summarizationMiddleware, driven by its own functions. Only in a clone of Pith: bench/peers turns messages into its form and back.
 * MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 pith eval --compactor ./examples/eval/langchain.ts
 */
import { peerCompactor } from './peer.ts'

export const name = 'LangChain'
export default await peerCompactor('langchain')
