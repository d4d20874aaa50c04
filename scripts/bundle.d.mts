/** The files that the package exports, without their ending. */
export declare const ENTRY_POINTS: readonly string[]
/** The entry point with the suite that every store passes. */
export declare const CONFORMANCE: string
/** Writes the library into a folder. */
export declare function bundleLibrary(dist: string): Promise<void>
/** Writes the program into a folder. */
export declare function bundleProgram(dist: string): Promise<void>
