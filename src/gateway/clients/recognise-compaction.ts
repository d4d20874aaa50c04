import type { ClientRequest, FaceRequest } from '../faces/face.ts'
import { readRequest } from '../faces/read-request.ts'
import { claudeCodeCompaction } from './claude-code.ts'
import { codexCompaction, isCompactPath } from './codex.ts'
import type { CompactionAsk, CompactionRecogniser } from './compaction-ask.ts'
import { copilotCompaction } from './copilot-cli.ts'
import { geminiCompaction } from './gemini-cli.ts'
import { opencodeCompaction } from './opencode.ts'
import { piCompaction } from './pi.ts'
import { qwenCompaction } from './qwen-code.ts'

/** The client's own compaction request; undefined for every other request, and for wordings that nobody has seen. */
export function recogniseCompaction(request: ClientRequest, read: FaceRequest | undefined): CompactionAsk | undefined {
  const seen = read ?? compactRequest(request)
  if (seen === undefined) return undefined
  for (const recognise of RECOGNISERS) {
    const ask = recognise({ request, read: seen })
    if (ask !== undefined) return ask
  }
  return undefined
}

/** Clients that name their compaction in a header come first. */
const RECOGNISERS: readonly CompactionRecogniser[] = [
  copilotCompaction,
  codexCompaction,
  claudeCodeCompaction,
  geminiCompaction,
  qwenCompaction,
  opencodeCompaction,
  piCompaction,
]

/** The body of `/responses/compact` has the form of a request for an answer. */
export function compactRequest(request: ClientRequest): FaceRequest | undefined {
  if (!isCompactPath(request.path)) return undefined
  return readRequest({ ...request, path: request.path.replace('/responses/compact', '/responses') })
}
