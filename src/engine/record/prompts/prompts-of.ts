import type { Style } from '../../../model/policy/policy.ts'
import { AGENT_PROMPTS } from './agent-prompts.ts'
import { KEEN_PROMPTS } from './keen-prompts.ts'
import { KIT_PROMPTS } from './kit-prompts.ts'
import { KODA_PROMPTS } from './koda-prompts.ts'
import { PITH_PROMPTS } from './pith-prompts.ts'
import type { PromptSet } from './prompt-set.ts'

/** The prompts of a system. */
export function promptsOf(style: Style): PromptSet {
  return PROMPTS[style]
}

const PROMPTS: Record<Style, PromptSet> = {
  pith: PITH_PROMPTS,
  keen: KEEN_PROMPTS,
  koda: KODA_PROMPTS,
  agent: AGENT_PROMPTS,
  kit: KIT_PROMPTS,
}
