import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { PermissionRequest, Tool, ToolContext, ToolOutput } from '../../../src/agent/tool.ts'
import { NOTHING_FOUND } from '../../../src/search/hits.ts'

export type Call = { request: PermissionRequest | undefined; output: ToolOutput }

/** A workspace in a temp folder beside one that is outside of it. Both go when the test is over. */
export class TestWorkspace {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-tools-')))
  readonly folder = join(this.root, 'workspace')
  readonly outside = join(this.root, 'outside')
  readonly seen = new Map<string, string>()
  readonly context: ToolContext = {
    workspace: this.folder,
    signal: new AbortController().signal,
    env: process.env as Record<string, string>,
    seen: (path) => this.seen.get(path),
    recall: { entries: async () => [], search: async () => NOTHING_FOUND },
  }

  constructor() {
    mkdirSync(this.folder)
    mkdirSync(this.outside)
    onTestFinished(() => rm(this.root, { recursive: true, force: true }))
  }

  put(path: string, content: string | Uint8Array): string {
    const target = join(this.folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    return target
  }

  text(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  /** Asks and runs as the loop does when everything is allowed, and remembers what the tool saw. */
  async call(tool: Tool, input: unknown, more: Partial<ToolContext> = {}): Promise<Call> {
    const context = { ...this.context, ...more }
    const request = await tool.permission(input, context)
    const output = await tool.run(input, { ...context, ...(request === undefined ? {} : { allowed: request }) })
    for (const { path, hash } of output.files ?? []) if (hash !== undefined) this.seen.set(path, hash)
    return { request, output }
  }

  async outputOf(tool: Tool, input: unknown, more: Partial<ToolContext> = {}): Promise<string> {
    return (await this.call(tool, input, more)).output.text
  }
}
