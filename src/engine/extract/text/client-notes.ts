/**
 * The output of a tool without the notes that its client added at the end: reminders to the model, and the tokens of a sub-agent.
 * Only the end is searched, because a file may contain the same words.
 */
export function withoutClientNotes(output: string): string {
  let text = output
  for (let place = noteStart(text); place !== -1; place = noteStart(text)) text = text.slice(0, place).trimEnd()
  return text
}

const NOTE_END = /<\/(system-reminder|usage|total_tokens|task_metadata)>\s*$/
const AGENT_LINE = /(?:^|\n)agentId: \w+ \([^\n]*\)\s*$/

/** The characters at the end of an output that are searched for the end of a note. */
const LOOKED_AT = 400

/** The index at which the last note begins, or -1. */
function noteStart(text: string): number {
  const end = text.slice(-LOOKED_AT)
  // Almost no output ends like a note.
  const last = end.trimEnd().at(-1)
  if (last !== '>' && last !== ')') return -1
  const tag = NOTE_END.exec(end)?.[1]
  if (tag !== undefined) return text.lastIndexOf(`<${tag}>`)
  const line = AGENT_LINE.exec(end)
  return line === null ? -1 : text.length - end.length + line.index
}
