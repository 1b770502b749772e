"""A game written in Python, for tests and benchmarks."""

from __future__ import annotations


class Clobber:
    """Clobber on rows of cells: the whole game in a few lines."""

    def options(self, board, player):
        own, enemy = ("x", "o") if player == "left" else ("o", "x")
        rows, cols = len(board), len(board[0])
        for r in range(rows):
            for c in range(cols):
                if board[r][c] != own:
                    continue
                for i, j in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                    if 0 <= i < rows and 0 <= j < cols and board[i][j] == enemy:
                        after = [list(row) for row in board]
                        after[r][c], after[i][j] = ".", own
                        yield tuple("".join(row) for row in after)

    def show(self, board):
        return "|".join(board)
