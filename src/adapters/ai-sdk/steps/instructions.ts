import type { Instructions, SystemModelMessage } from 'ai'

/** Instructions of the AI SDK as one text. */
export function textOfInstructions(instructions: Instructions | undefined): string {
  return listOf(instructions)
    .map(({ content }) => content)
    .join('\n')
}

/** Puts summaries in the system role after the instructions that a run began with. */
export function withSystem(
  instructions: Instructions | undefined,
  blocks: readonly string[],
): { instructions?: Instructions } {
  return blocks.length === 0 ? {} : { instructions: [...listOf(instructions), ...blocks.map(systemMessage)] }
}

function listOf(instructions: Instructions | undefined): SystemModelMessage[] {
  if (instructions === undefined) return []
  return typeof instructions === 'string' ? [systemMessage(instructions)] : [instructions].flat()
}

function systemMessage(content: string): SystemModelMessage {
  return { role: 'system', content }
}
