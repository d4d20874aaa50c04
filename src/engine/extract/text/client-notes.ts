/**
 * The output of a tool without what its client wrote behind it: reminders to the model, and how many tokens a sub-agent took.
 * Only the end is looked at, because a file may have the same words in it.
 */
export function withoutClientNotes(output: string): string {
  let text = output
  for (let place = noteStart(text); place !== -1; place = noteStart(text)) text = text.slice(0, place).trimEnd()
  return text
}

const NOTE_END = /<\/(system-reminder|usage|total_tokens|task_metadata)>\s*$/
const AGENT_LINE = /(?:^|\n)agentId: \w+ \([^\n]*\)\s*$/

/** Characters at the end of an output in which a note ends. */
const LOOKED_AT = 400

/** Where the last note begins, or -1. */
function noteStart(text: string): number {
  const end = text.slice(-LOOKED_AT)
  // Nearly no output ends like one.
  const last = end.trimEnd().at(-1)
  if (last !== '>' && last !== ')') return -1
  const tag = NOTE_END.exec(end)?.[1]
  if (tag !== undefined) return text.lastIndexOf(`<${tag}>`)
  const line = AGENT_LINE.exec(end)
  return line === null ? -1 : text.length - end.length + line.index
}
