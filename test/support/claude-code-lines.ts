/** Two messages of the user and an answer, as Claude Code writes them. */
export function said(): object[] {
  return [
    { uuid: 'a', parentUuid: null, type: 'user', message: { role: 'user', content: 'Draw the heron of the lake.' } },
    {
      uuid: 'b',
      parentUuid: 'a',
      type: 'assistant',
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    },
    { uuid: 'c', parentUuid: 'b', type: 'user', message: { role: 'user', content: 'Now the reeds.' } },
  ]
}

/** A compaction that keeps the last message. */
export function compacted(summary: string): object[] {
  const compactMetadata = { trigger: 'manual', preTokens: 9, preservedMessages: { uuids: ['c'] } }
  return [
    {
      uuid: 'd',
      parentUuid: null,
      logicalParentUuid: 'c',
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata,
    },
    { uuid: 'e', parentUuid: 'd', type: 'user', isCompactSummary: true, message: { role: 'user', content: summary } },
  ]
}

/** A session of Claude Code. */
export function lines(...some: object[][]): string {
  const at = { sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z', isSidechain: false, cwd: '/work' }
  return some
    .flat()
    .map((line) => JSON.stringify({ ...line, ...at }))
    .join('\n')
}
