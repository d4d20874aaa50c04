import { z } from 'zod'
import { RECALL_TEXTS } from '../../mcp/descriptions.ts'
import type { OpencodeHooks, OpencodeInput } from './opencode-api.ts'
import { opencodeHooks } from './plugin.ts'

// package.json exports this file as `./server`, too: `opencode plugin pith` looks for that name, and refuses a package without it.

/** The plug-in for opencode: Pith's prompt and facts for its compactions, masks, and `recall`. */
export default async function pith(input: OpencodeInput): Promise<OpencodeHooks> {
  return opencodeHooks(input, RECALL_ARGS, () => import('./plugin-work.ts'))
}

// opencode accepts zod shapes. In any other form, it treats every argument as required.
const RECALL_ARGS = {
  handles: z.string().optional().describe(RECALL_TEXTS.handles),
  search: z.string().optional().describe(RECALL_TEXTS.search),
  offset: z.number().int().nonnegative().optional().describe(RECALL_TEXTS.offset),
}
