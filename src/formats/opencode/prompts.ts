import { fields, objects } from '../shared/json.ts'
import { type PromptCounter, promptCounter } from '../shared/typed-prompts.ts'

/** Counts what was typed: texts that opencode put in itself say so. */
export function countOpencode(): PromptCounter {
  return promptCounter(
    ({ info, parts }) =>
      fields(info)?.role !== 'user'
        ? []
        : objects(parts).flatMap(({ type, text, synthetic, ignored }) =>
            type === 'text' && synthetic !== true && ignored !== true ? [String(text ?? '')] : [],
          ),
    (document) => objects(fields(document)?.messages),
  )
}
