//! Boards that are grids of letters: the methods of `Rules` that are the same for all of them.

/// `read`, `show` and `scene` of rules whose boards are `BitGrid`s, written in the letters of an alphabet.
macro_rules! grid_of_letters {
    ($letters:expr) => {
        fn read(&self, text: &str) -> Result<Self::Board, gb_board::BoardError> {
            gb_board::BitGrid::read(text, &$letters)
        }
        fn show(&self, at: &Self::Board) -> String {
            at.show(&$letters)
        }
        fn scene(&self, at: &Self::Board) -> gb_board::Scene {
            at.scene(&$letters)
        }
    };
}

/// `codes` and `of_codes` of such rules, for tables of boards.
macro_rules! codes_of_grids {
    () => {
        #[inline]
        fn codes(&self, at: &<Self as gb_rules::Rules>::Board) -> Option<gb_board::Codes> {
            Some(at.codes())
        }
        #[inline]
        fn of_codes(
            &self,
            codes: &gb_board::Codes,
        ) -> Option<Result<<Self as gb_rules::Rules>::Board, gb_board::BoardError>> {
            Some(gb_board::BitGrid::of_codes(codes))
        }
    };
}

pub(crate) use {codes_of_grids, grid_of_letters};
