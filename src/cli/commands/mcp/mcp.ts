import type { Command } from 'commander'

/** `pith mcp`: recall for any agent that speaks the Model Context Protocol. */
export function mcpCommand(pith: Command): void {
  pith
    .command('mcp')
    .description('give another agent recall of its session: an MCP server on standard input and output')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { serveMcp } = await import('./serve-mcp.ts')
      await serveMcp()
    })
}

const EXAMPLES = `
Examples:
  $ claude mcp add pith -- pith mcp
  $ codex mcp add pith -- pith mcp
  $ gemini mcp add pith pith mcp`
