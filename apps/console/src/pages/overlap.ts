/** The number field for the hours for which an earlier key or secret stays valid. Emptied, it shows the API's default. */
export const OVERLAP_HOURS = { kind: 'number', initial: '24', placeholder: '24', min: 0, max: 168 } as const;

/** An emptied field is not sent, so that the API's default applies: 0 would end the earlier key at once. */
const hoursOf = (typed = ''): number | null => (typed.trim() === '' ? null : Number(typed));

export const overlapInHours = (typed: string | undefined): { readonly overlapHours?: number } => {
  const hours = hoursOf(typed);
  return hours === null ? {} : { overlapHours: hours };
};

export const overlapInSeconds = (typed: string | undefined): { readonly overlapSeconds?: number } => {
  const hours = hoursOf(typed);
  return hours === null ? {} : { overlapSeconds: Math.round(hours * 3_600) };
};
