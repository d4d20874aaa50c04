import type { Style } from '../../../model/policy/policy.ts'
import { AGENT_PROMPTS } from './agent-prompts.ts'
import { KEEN_PROMPTS } from './keen-prompts.ts'
import { KIT_PROMPTS } from './kit-prompts.ts'
import { KODA_PROMPTS } from './koda-prompts.ts'
import { MERGE } from './merge.ts'
import { PITH_PROMPTS } from './pith-prompts.ts'
import type { OwnPrompts, PromptSet } from './prompt-set.ts'
import { UPDATE } from './update.ts'
import { WARM } from './warm.ts'

/** The prompts of a system. */
export function promptsOf(style: Style): PromptSet {
  return { ...PROMPTS[style], update: UPDATE, merge: MERGE, warm: WARM }
}

const PROMPTS: Record<Style, OwnPrompts> = {
  pith: PITH_PROMPTS,
  keen: KEEN_PROMPTS,
  koda: KODA_PROMPTS,
  agent: AGENT_PROMPTS,
  kit: KIT_PROMPTS,
}
