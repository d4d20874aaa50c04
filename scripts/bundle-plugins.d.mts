/** Writes the folder of the Claude Code plug-in. */
export declare function bundleClaudeCode(folder: string): Promise<void>
