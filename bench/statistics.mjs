/** The measured value below which this share of the values lies, such as 0.99; never an average of two. */
export const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];

/** The middle value; the lower one of two. */
export const median = (values) => quantile(values, 0.5);
