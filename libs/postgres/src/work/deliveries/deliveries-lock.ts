/** Advisory lock, as arguments: shared while deliveries are added, exclusive to wait until these are committed. */
export const DELIVERIES_LOCK = '1414877774, 8';
