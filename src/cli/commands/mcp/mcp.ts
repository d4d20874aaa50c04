import type { Command } from 'commander'
import { examples } from '../../options/options.ts'

/** `pith mcp`: recall for any agent that speaks the Model Context Protocol. */
export function mcpCommand(pith: Command): void {
  pith
    .command('mcp')
    .description('give another agent recall of its session: an MCP server on standard input and output')
    .addHelpText(
      'after',
      examples('claude mcp add pith -- pith mcp', 'codex mcp add pith -- pith mcp', 'gemini mcp add pith pith mcp'),
    )
    .action(async () => (await import('./serve-mcp.ts')).serveMcp())
}
