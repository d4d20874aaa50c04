/** Writes the command line as a few files into a folder. */
export declare function bundleCli(folder: string): Promise<void>
