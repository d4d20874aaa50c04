import { Draft, type LineReader } from '../codec.ts'
import { type Fields, fields, text, time } from '../json.ts'
import { LogBuilder } from '../log-builder.ts'
import { activeBranch } from './branch.ts'
import { BranchWriter } from './branch-writer.ts'
import { type Node, nodeOf } from './nodes.ts'
import { parseLine } from './parse-line.ts'

/** Reads a Claude Code session: a tree of lines, of which the branch that ends last is the conversation. */
export function claudeCodeReader(): LineReader {
  const draft = new Draft()
  const nodes: Node[] = []
  const byId = new Map<string, Node>()
  return {
    parse: parseLine,
    read(line, number) {
      readFacts(draft, line)
      const node = nodeOf(line, number)
      if (node === undefined) return
      if (byId.has(node.uuid)) return draft.log.issue(number, `the id ${node.uuid} is used twice; the first one counts`)
      byId.set(node.uuid, node)
      nodes.push(node)
      if (line.type !== 'user' && line.type !== 'assistant') return
      draft.log.recordedMessages++
      draft.log.recordedCalls += node.calls.length
    },
    finish() {
      const main = nodes.filter((node) => node.agent === undefined)
      // The file of a sub-agent has no main line: there its own is the main one.
      const isMain = main.some((node) => node.kind === 'user' || node.kind === 'assistant')
      writeLog(draft.log, activeBranch(isMain ? main : nodes, byId, draft.log), byId)
      if (isMain) addSidechains(draft, nodes, byId)
      return draft
    },
  }
}

function readFacts({ facts }: Draft, line: Fields): void {
  facts.sessionId ??= text(line.sessionId)
  facts.workspace ??= text(line.cwd)
  facts.version = text(line.version) ?? facts.version
  facts.startedAt ??= time(line.timestamp)
  facts.forkedFrom ??= text(fields(line.forkedFrom)?.sessionId)
  facts.title = text(line.customTitle) ?? facts.title ?? text(line.aiTitle)
  if (line.type === 'summary') facts.title ??= text(line.summary)
}

function addSidechains(draft: Draft, nodes: readonly Node[], byId: ReadonlyMap<string, Node>): void {
  const side = nodes.filter((node) => node.agent !== undefined)
  for (const [id, chain] of Map.groupBy(side, (node) => node.agent || rootOf(node, byId))) {
    const log = new LogBuilder()
    writeLog(log, chain, byId)
    if (log.entries.length > 0) draft.sidechains.push({ id, entries: log.entries })
  }
}

function rootOf(node: Node, byId: ReadonlyMap<string, Node>): string {
  const seen = new Set<Node>()
  let root = node
  for (
    let next: Node | undefined = node;
    next?.agent !== undefined && !seen.has(next);
    next = byId.get(next.parent ?? '')
  ) {
    seen.add(next)
    root = next
  }
  return root.uuid
}

function writeLog(log: LogBuilder, nodes: readonly Node[], byId: ReadonlyMap<string, Node>): void {
  const writer = new BranchWriter(log, byId)
  for (const node of nodes) writer.add(node)
}
