/** The number field for the hours for which an earlier key or secret stays valid. */
export const OVERLAP_HOURS = { kind: 'number', initial: '24', min: 0, max: 168 } as const;
